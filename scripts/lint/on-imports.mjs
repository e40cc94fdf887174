import { relative, sep } from 'node:path'

/**
 * Creates the listeners of a lint rule that checks every import and re-export of a file, including dynamic imports.
 * @param {import('./rule.mjs').RuleContext} context
 * @param {(importer: string, specifier: string) => string | undefined} reasonAgainst takes the importer's path from the
 *   root of the repository and returns why the import is refused
 * @returns {import('rolldown/utils').VisitorObject}
 */
export function onImports(context, reasonAgainst) {
  const importer = relative(context.cwd, context.filename).split(sep).join('/')
  /** @param {import('rolldown/utils').ESTree.Expression | null} source */
  const check = (source) => {
    if (source?.type !== 'Literal' || typeof source.value !== 'string') return
    const reason = reasonAgainst(importer, source.value)
    if (reason) context.report({ node: source, messageId: 'refused', data: { reason } })
  }
  return {
    ImportDeclaration: ({ source }) => check(source),
    ExportNamedDeclaration: ({ source }) => check(source),
    ExportAllDeclaration: ({ source }) => check(source),
    ImportExpression: ({ source }) => check(source),
  }
}
