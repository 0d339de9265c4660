// What lies on a cycle in a directed graph: strongly connected components, and the edges that close a
// cycle with worthier ones. Pure.

/** From one node to another, by their names. */
export interface Edge {
  from: string;
  to: string;
}

/** A node, with what Tarjan's search notes of it. */
interface Node {
  name: string;
  targets: Node[];
  /** How many of the targets were looked at. */
  seen: number;
  /** When it was found; -1 until then. */
  index: number;
  /** The earliest node on the path that can be reached from here. */
  low: number;
  /** Name of the first node of its component. Undefined until all of it is known. */
  component: string | undefined;
}

/**
 * Tarjan's strongly connected components, without recursion: a chain may be of any length. For each
 * node, the name of the one that stands for its component.
 */
export function componentsOf(edges: Iterable<Edge>): Map<string, string> {
  const nodes = new Map<string, Node>();
  for (const { from, to } of edges) nodeOf(from, nodes).targets.push(nodeOf(to, nodes));
  const unassigned: Node[] = [];
  const path: Node[] = [];
  let count = 0;
  const enter = (node: Node) => {
    node.index = node.low = count++;
    unassigned.push(node);
    path.push(node);
  };
  for (const root of nodes.values()) {
    if (root.index < 0) enter(root);
    for (let node = path.at(-1); node !== undefined; node = path.at(-1)) {
      const target = node.targets[node.seen++];
      if (target !== undefined) {
        if (target.index < 0) enter(target);
        else if (target.component === undefined) node.low = Math.min(node.low, target.index);
        continue;
      }
      path.pop();
      const parent = path.at(-1);
      if (parent !== undefined) parent.low = Math.min(parent.low, node.low);
      if (node.low !== node.index) continue;
      for (const member of unassigned.splice(unassigned.lastIndexOf(node))) {
        member.component = node.name;
      }
    }
  }
  return new Map(Array.from(nodes.values(), ({ name, component }) => [name, component!]));
}

/**
 * Finds the edges that close a cycle with those before them, where the worthiest come first:
 * without these no cycle is left, and each was the least worthy edge of some cycle. It halves the
 * edges again and again, and contracts what is connected in the first half: `edges * log(edges)`
 * steps.
 */
export function closingEdges<E extends Edge>(edges: readonly E[]): E[] {
  const found = new Set<number>();
  const all = edges.map(({ from, to }, index) => ({ from, to, index }));
  findClosing(all, { low: 0, high: edges.length }, found);
  return edges.filter((_, index) => found.has(index));
}

/**
 * The edges are those whose ends become one component by the edge `low` at the earliest and `high` at
 * the latest; `high` beyond the last one stands for never.
 */
function findClosing(
  edges: readonly (Edge & { index: number })[],
  { low, high }: { low: number; high: number },
  found: Set<number>,
): void {
  if (edges.length === 0) return;
  if (low === high) {
    if (edges.some(({ index }) => index === low)) found.add(low);
    return;
  }
  const middle = Math.floor((low + high) / 2);
  const components = componentsOf(edges.filter(({ index }) => index <= middle));
  const joined: (Edge & { index: number })[] = [];
  const apart: (Edge & { index: number })[] = [];
  for (const edge of edges) {
    const from = components.get(edge.from) ?? edge.from;
    const to = components.get(edge.to) ?? edge.to;
    if (edge.index <= middle && from === to) joined.push(edge);
    else apart.push({ from, to, index: edge.index });
  }
  findClosing(joined, { low, high: middle }, found);
  findClosing(apart, { low: middle + 1, high }, found);
}

function nodeOf(name: string, nodes: Map<string, Node>): Node {
  const node = nodes.get(name) ??
    { name, targets: [], seen: 0, index: -1, low: -1, component: undefined };
  nodes.set(name, node);
  return node;
}
