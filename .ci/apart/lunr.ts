// The search without SQLite: only a search of memory on an old Node loads it. Node gives a package of its kind whole.

export { default } from "lunr";
