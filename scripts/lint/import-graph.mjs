import { readdirSync, readFileSync } from 'node:fs'
import { join, posix, sep } from 'node:path'

import { parseSync } from 'rolldown/utils'

/**
 * The imports of each file, including type imports, as paths from the root of the repository with the source extension.
 * @typedef {ReadonlyMap<string, readonly string[]>} ImportGraph
 */

/**
 * Reads every TypeScript file below `src`.
 * @param {string} root folder of the repository
 * @returns {ImportGraph}
 */
export function readImportGraph(root) {
  const files = readdirSync(join(root, 'src'), { recursive: true })
    .map((file) => `src/${String(file).split(sep).join('/')}`)
    .filter((file) => /\.tsx?$/.test(file))
  const known = new Set(files)
  return new Map(
    files.map((file) => {
      const imported = importsOf(file, readFileSync(join(root, file), 'utf8'))
      const paths = imported.flatMap((specifier) => {
        const path = resolved(file, specifier)
        return [path, `${path}x`]
      })
      return [file, paths.filter((path) => known.has(path))]
    }),
  )
}

/**
 * What a source file imports and re-exports, including dynamic imports.
 * @param {string} file
 * @param {string} text
 * @returns {string[]}
 */
function importsOf(file, text) {
  const { staticImports, staticExports, dynamicImports } = parseSync(file, text).module
  const exported = staticExports.flatMap(({ entries }) => entries.slice(0, 1))
  return [
    ...staticImports.map(({ moduleRequest }) => moduleRequest.value),
    ...exported.flatMap(({ moduleRequest }) => (moduleRequest ? [moduleRequest.value] : [])),
    // Of these, the parser knows only the place: a string in quotes, or an expression, which names no file.
    ...dynamicImports.map(({ moduleRequest }) => text.slice(moduleRequest.start + 1, moduleRequest.end - 1)),
  ]
}

/**
 * The source file that a relative import refers to.
 * @param {string} importer
 * @param {string} specifier
 */
export function resolved(importer, specifier) {
  return posix.join(posix.dirname(importer), specifier).replace(/\.js$/, '.ts')
}

/**
 * The shortest chain of imports from one file to another, including both. Undefined if there is none.
 * @param {ImportGraph} graph
 * @param {string} from
 * @param {string} to
 * @returns {string[] | undefined}
 */
function importPath(graph, from, to) {
  /** @type {Map<string, string | undefined>} */
  const reachedFrom = new Map([[from, undefined]])
  for (const file of reachedFrom.keys()) {
    if (file === to) return wayTo(to, reachedFrom)
    for (const next of graph.get(file) ?? []) {
      if (!reachedFrom.has(next)) reachedFrom.set(next, file)
    }
  }
  return undefined
}

/**
 * @param {string} end
 * @param {ReadonlyMap<string, string | undefined>} reachedFrom
 */
function wayTo(end, reachedFrom) {
  const way = []
  for (let file = /** @type {string | undefined} */ (end); file !== undefined; file = reachedFrom.get(file)) {
    way.unshift(file)
  }
  return way
}

/**
 * Length of the longest chain of imports that begins at each file. Every import leads to a lower height, except for one
 * import of each cycle, at which counting stops.
 * @param {ImportGraph} graph
 * @returns {ReadonlyMap<string, number>}
 */
export function heightsOf(graph) {
  /** @type {Map<string, number>} */
  const heights = new Map()
  /** @type {Set<string>} */
  const underWay = new Set()
  /** @param {string} file @returns {number} */
  const heightOf = (file) => {
    const known = heights.get(file)
    if (known !== undefined) return known
    underWay.add(file)
    const below = (graph.get(file) ?? []).filter((next) => !underWay.has(next)).map(heightOf)
    underWay.delete(file)
    const height = 1 + Math.max(-1, ...below)
    heights.set(file, height)
    return height
  }
  for (const file of graph.keys()) heightOf(file)
  return heights
}

/**
 * The cycle that an import closes, from the importer back to it. Undefined if it closes none.
 * @param {ImportGraph} graph
 * @param {ReadonlyMap<string, number>} heights of the graph
 * @param {string} importer
 * @param {string} imported
 * @returns {string[] | undefined}
 */
export function circleOf(graph, heights, importer, imported) {
  if ((heights.get(imported) ?? 0) < (heights.get(importer) ?? 0)) return undefined
  const way = importPath(graph, imported, importer)
  return way && [importer, ...way]
}

/**
 * One cycle for each import that closes one.
 * @param {ImportGraph} graph
 * @returns {string[][]}
 */
export function circlesOf(graph) {
  const heights = heightsOf(graph)
  return [...graph].flatMap(([importer, imported]) =>
    imported.flatMap((file) => {
      const circle = circleOf(graph, heights, importer, file)
      return circle ? [circle] : []
    }),
  )
}
