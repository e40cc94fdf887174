import { circleOf, heightsOf, readImportGraph, resolved } from './import-graph.mjs'
import { onImports } from './on-imports.mjs'

/**
 * The lint rule against import cycles: reports an import that makes a source file import itself indirectly, even if only
 * for types. The graph is read once per process, so an editor sees new cycles after its linter restarts.
 * @type {import('./rule.mjs').Rule}
 */
export const importCircles = {
  meta: { type: 'problem', messages: { refused: 'This import closes a circle: {{reason}}.' } },
  create(context) {
    return onImports(context, (importer, specifier) => {
      if (!importer.startsWith('src/') || !specifier.startsWith('.')) return undefined
      const { graph, heights } = graphOf(context.cwd)
      return circleOf(graph, heights, importer, resolved(importer, specifier))?.join(' → ')
    })
  },
}

/** @typedef {{ graph: import('./import-graph.mjs').ImportGraph, heights: ReadonlyMap<string, number> }} Measured */

/** @type {Map<string, Measured>} */
const graphs = new Map()

/**
 * @param {string} root
 * @returns {Measured}
 */
function graphOf(root) {
  const known = graphs.get(root)
  if (known) return known
  const graph = readImportGraph(root)
  const measured = { graph, heights: heightsOf(graph) }
  graphs.set(root, measured)
  return measured
}
