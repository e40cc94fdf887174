import type { Expression, Operator, RegexPattern } from './expression.js'
import { PatternWork } from './pattern-work.js'

/** The values of the names in an expression. */
export interface Operands {
  /** The raw value, with references unexpanded; undefined = no such variable. */
  variable(name: string): string | undefined
  /** The value of an input; absent if inputs are not allowed here. */
  input?(name: string): string | boolean | undefined
  /** Shared by all expressions of one compilation. */
  patterns?: PatternWork
}

/** Evaluates an `if` (CI language, 7.3). Throws `ConfigError` if that takes too long. */
export function holds(expression: Expression, operands: Operands): boolean {
  try {
    return isPresent(new Evaluation(operands).valueOf(expression))
  } catch (error) {
    if (error instanceof BrokenPatternError) return false
    throw error
  }
}

type Value = string | boolean | null | RegexPattern

/** The value of a variable looks like a regular expression but is invalid: the whole `if` is false. */
class BrokenPatternError extends Error {}

class Evaluation {
  private readonly patterns: PatternWork

  constructor(private readonly operands: Operands) {
    this.patterns = operands.patterns ?? new PatternWork()
  }

  valueOf(expression: Expression): Value {
    switch (expression.kind) {
      case 'variable':
        return this.operands.variable(expression.name) ?? null
      case 'input':
        return this.operands.input?.(expression.name) ?? null
      case 'value':
        return expression.value
      case 'pattern':
        return expression.pattern
      case 'not':
        return !isPresent(this.valueOf(expression.operand))
      case 'operation':
        return this.operation(expression.operator, expression.left, expression.right)
    }
  }

  private operation(operator: Operator, left: Expression, right: Expression): Value {
    const value = this.valueOf(left)
    switch (operator) {
      case '&&':
        return isFalse(value) ? value : this.valueOf(right)
      case '||':
        return isFalse(value) ? this.valueOf(right) : value
      case '==':
        return isEqual(value, this.valueOf(right))
      case '!=':
        return !isEqual(value, this.valueOf(right))
      case '=~':
        return this.matches(value, this.valueOf(right))
      case '!~':
        return !this.matches(value, this.valueOf(right))
    }
  }

  /**
   * If the right text is not a regular expression, it is searched for the left expression, not the other way
   * round.
   */
  private matches(left: Value, right: Value): boolean {
    if (right === null || right === false) return false
    const regex = typeof right === 'object' ? right.regex : this.patterns.parse(toText(right))
    if (regex === 'invalid') throw new BrokenPatternError()
    if (!regex) return toText(right).includes(toText(left))
    return this.patterns.test(regex, toText(left))
  }
}

/** Inside `&&` and `||` only null and false are false: an empty text decides `||` (CI language, 7.3). */
function isFalse(value: Value): boolean {
  return value === null || value === false
}

function isPresent(value: Value): boolean {
  return typeof value === 'string' ? value.trim() !== '' : value !== null && value !== false
}

function isEqual(one: Value, other: Value): boolean {
  if (one === null || other === null) return one === other
  if (typeof one === 'object' || typeof other === 'object') return isSamePattern(one, other)
  return toText(one) === toText(other)
}

function isSamePattern(one: Value, other: Value): boolean {
  const texts = [one, other].map((value) =>
    value !== null && typeof value === 'object' ? value.text : undefined,
  )
  return texts[0] !== undefined && texts[0] === texts[1]
}

function toText(value: Value): string {
  if (value === null) return ''
  return typeof value === 'object' ? value.text : String(value)
}
