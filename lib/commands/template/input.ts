import { argument, word } from "../../cli/spec.ts";

export const type = argument(word, "Type of the template, such as prd", { placeholder: "TYPE" });
