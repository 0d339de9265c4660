// A value that follows one asynchronous task through its awaits.

export { AsyncLocalStorage as TaskLocal } from "node:async_hooks";
