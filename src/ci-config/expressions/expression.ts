import type { RE2JS } from 're2js'

/** A parsed `if` expression (CI language, 7.3). */
export type Expression =
  | { kind: 'variable'; name: string }
  /** `$[[ inputs.<name> ]]`: in the rules of inputs only (CI language, 5.2). */
  | { kind: 'input'; name: string }
  | { kind: 'value'; value: string | boolean | null }
  | { kind: 'pattern'; pattern: RegexPattern }
  | { kind: 'not'; operand: Expression }
  | { kind: 'operation'; operator: Operator; left: Expression; right: Expression }

export type Operator = '==' | '!=' | '=~' | '!~' | '&&' | '||'

/** A literal regular expression. */
export interface RegexPattern {
  /** `/…/flags` as in the file. */
  text: string
  regex: RE2JS
}

/** Names that the expression refers to. */
export function namesIn(expression: Expression, kind: 'variable' | 'input'): string[] {
  switch (expression.kind) {
    case 'variable':
    case 'input':
      return expression.kind === kind ? [expression.name] : []
    case 'not':
      return namesIn(expression.operand, kind)
    case 'operation':
      return [...namesIn(expression.left, kind), ...namesIn(expression.right, kind)]
    default:
      return []
  }
}
