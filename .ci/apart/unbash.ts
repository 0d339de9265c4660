// The parser of bash: only the guard loads it, which has a bundle of its own for hooks.

export * from "unbash";
