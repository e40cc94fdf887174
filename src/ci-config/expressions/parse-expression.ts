import type { Expression, Operator } from './expression.js'
import { PatternWork } from './pattern-work.js'
import { type Sign, type Token, tokenize } from './tokenize.js'

/**
 * Parses an expression; undefined for a syntax error (CI language, 7.3). Takes time linear in the text.
 * Throws `ConfigError` if the regular expressions that share `patterns` become too large.
 */
export function parseExpression(text: string, patterns = new PatternWork()): Expression | undefined {
  const tokens = tokenize(text, patterns)
  if (!tokens) return undefined
  const parser = new ExpressionParser(tokens)
  const expression = parser.parse(LOOSEST)
  return parser.isAtEnd() ? expression : undefined
}

/** Precedence of the operators; all are left-associative. */
const BINDING: Readonly<Record<Operator, number>> = {
  '||': 1,
  '&&': 2,
  '==': 3,
  '!=': 3,
  '=~': 3,
  '!~': 3,
}

const LOOSEST = 1

/**
 * Parses by the precedence table above. Returns undefined for a syntax error. The number of tokens limits the
 * recursion depth.
 */
class ExpressionParser {
  private at = 0

  constructor(private readonly tokens: readonly Token[]) {}

  isAtEnd(): boolean {
    return this.at === this.tokens.length
  }

  /** Operands joined by operators that bind at least so tightly. */
  parse(loosest: number): Expression | undefined {
    let left = this.parseOperand()
    for (let operator = this.operator(loosest); left && operator; operator = this.operator(loosest)) {
      this.at += 1
      const right = this.parse(BINDING[operator] + 1)
      left = right && { kind: 'operation', operator, left, right }
    }
    return left
  }

  private parseOperand(): Expression | undefined {
    const token = this.tokens[this.at++]
    if (token?.kind === 'operand') return token.operand
    if (token?.sign === '!') return this.parseNegated()
    return token?.sign === '(' ? this.parseGroup() : undefined
  }

  private parseNegated(): Expression | undefined {
    const operand = this.parseOperand()
    return operand && { kind: 'not', operand }
  }

  private parseGroup(): Expression | undefined {
    const inner = this.parse(LOOSEST)
    if (this.sign() !== ')') return undefined
    this.at += 1
    return inner
  }

  private operator(loosest: number): Operator | undefined {
    const sign = this.sign()
    return isOperator(sign) && BINDING[sign] >= loosest ? sign : undefined
  }

  private sign(): Sign | undefined {
    const token = this.tokens[this.at]
    return token?.kind === 'sign' ? token.sign : undefined
  }
}

function isOperator(sign: Sign | undefined): sign is Operator {
  return sign !== undefined && Object.hasOwn(BINDING, sign)
}
