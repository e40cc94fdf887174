import { relative, sep } from 'node:path'

import { refusal } from './rooms.mjs'

/**
 * The linter's rule about rooms: reports each import of a source file that `refusal` refuses.
 * @type {import('eslint').Rule.RuleModule}
 */
export const roomImports = {
  meta: { type: 'problem', schema: [], messages: { refused: '{{reason}} (scripts/lint/rooms.mjs).' } },
  create(context) {
    const importer = relative(context.cwd, context.filename).split(sep).join('/')
    /** @param {import('estree').Node | null | undefined} source */
    const check = (source) => {
      if (source?.type !== 'Literal' || typeof source.value !== 'string') return
      const reason = refusal(importer, source.value)
      if (reason) context.report({ node: source, messageId: 'refused', data: { reason } })
    }
    return {
      ImportDeclaration: ({ source }) => check(source),
      ExportNamedDeclaration: ({ source }) => check(source),
      ExportAllDeclaration: ({ source }) => check(source),
      ImportExpression: ({ source }) => check(source),
    }
  },
}
