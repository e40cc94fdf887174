import { relative, sep } from 'node:path'

/**
 * Creates the listeners of a lint rule that checks every import and re-export of a file, including dynamic imports.
 * @param {import('./rule.mjs').RuleContext} context
 * @param {(importer: string, specifier: string, isType: boolean) => string | undefined} reasonAgainst takes the
 *   importer's path from the root of the repository and returns why the import is refused
 * @returns {import('rolldown/utils').VisitorObject}
 */
export function onImports(context, reasonAgainst) {
  const importer = relative(context.cwd, context.filename).split(sep).join('/')
  /**
   * @param {import('rolldown/utils').ESTree.Expression | null} source
   * @param {string} [kind] of the statement: `type` or `value`
   */
  const check = (source, kind) => {
    if (source?.type !== 'Literal' || typeof source.value !== 'string') return
    const reason = reasonAgainst(importer, source.value, kind === 'type')
    if (reason) context.report({ node: source, messageId: 'refused', data: { reason } })
  }
  return {
    ImportDeclaration: ({ source, importKind }) => check(source, importKind),
    ExportNamedDeclaration: ({ source, exportKind }) => check(source, exportKind),
    ExportAllDeclaration: ({ source }) => check(source),
    ImportExpression: ({ source }) => check(source),
  }
}
