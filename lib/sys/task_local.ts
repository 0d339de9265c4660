// A class for values that follow one asynchronous task through its awaits.

import { builtin } from "./builtin.ts";

export const { AsyncLocalStorage: TaskLocal } = builtin("node:async_hooks");
