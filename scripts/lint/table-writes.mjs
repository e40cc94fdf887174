import { relative, sep } from 'node:path'

import { writeRefusal } from './table-owners.mjs'

const WRITES = ['insertInto', 'updateTable', 'deleteFrom', 'mergeInto', 'replaceInto']

/** In raw SQL; without a name after it, the name is computed. */
const RAW_WRITE = /(?:\binsert\s+into|\bdelete\s+from|\bmerge\s+into|^\s*update)\s+(?:"?(\w+)"?|$)/gi

/**
 * The linter's rule about writes: reports each write of a table outside the folder that owns it.
 * @type {import('./rule.mjs').Rule}
 */
export const tableWrites = {
  meta: { type: 'problem', messages: { refused: '{{reason}} (scripts/lint/table-owners.mjs).' } },
  create: (context) => {
    const file = relative(context.cwd, context.filename).split(sep).join('/')
    /**
     * @param {import('rolldown/utils').ESTree.Span} node
     * @param {string | undefined} table
     */
    const check = (node, table) => {
      const reason = writeRefusal(file, table)
      if (reason) context.report({ node, messageId: 'refused', data: { reason } })
    }
    return {
      CallExpression: (node) => {
        const { callee } = node
        if (callee.type !== 'MemberExpression' || callee.property.type !== 'Identifier') return
        if (!WRITES.includes(callee.property.name)) return
        const [table] = node.arguments
        const isLiteral = table?.type === 'Literal' && typeof table.value === 'string'
        check(node, isLiteral ? table.value.split(' ')[0] : undefined)
      },
      TaggedTemplateExpression: ({ tag, quasi }) => {
        if (tag.type !== 'Identifier' || tag.name !== 'sql') return
        for (const part of quasi.quasis) {
          const text = part.value.cooked ?? part.value.raw
          for (const [, table] of text.matchAll(RAW_WRITE)) check(part, table)
        }
      },
    }
  },
}
