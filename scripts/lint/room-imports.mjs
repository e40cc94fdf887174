import { onImports } from './on-imports.mjs'
import { refusal } from './rooms.mjs'

/**
 * The lint rule for folders: reports each import of a source file that `refusal` refuses.
 * @type {import('./rule.mjs').Rule}
 */
export const roomImports = {
  meta: { type: 'problem', messages: { refused: '{{reason}} (scripts/lint/rooms.mjs).' } },
  create: (context) => onImports(context, refusal),
}
