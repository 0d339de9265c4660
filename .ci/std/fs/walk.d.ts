export interface WalkOptions {
  includeDirs?: boolean;
  exts?: string[];
  skip?: RegExp[];
}
export interface WalkEntry {
  path: string;
  name: string;
  isFile: boolean;
  isDirectory: boolean;
  isSymlink: boolean;
}
export function walkSync(root: string, options?: WalkOptions): IterableIterator<WalkEntry>;
