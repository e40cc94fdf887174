// The rules of this repository, for .oxlintrc.jsonc.
import { importCircles } from './import-circles.mjs'
import { roomImports } from './room-imports.mjs'
import { tableWrites } from './table-writes.mjs'

/** @type {{ meta: { name: string }, rules: Record<string, import('./rule.mjs').Rule> }} */
export default {
  meta: { name: 'switchyard' },
  rules: { 'import-circles': importCircles, 'room-imports': roomImports, 'table-writes': tableWrites },
}
