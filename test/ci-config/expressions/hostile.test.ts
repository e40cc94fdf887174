import fc from 'fast-check'
import { RE2JS } from 're2js'
import { expect, test } from 'vitest'

import { type Expression, namesIn } from '../../../src/ci-config/expressions/expression.js'
import { holds } from '../../../src/ci-config/expressions/holds.js'
import { parseExpression } from '../../../src/ci-config/expressions/parse-expression.js'
import { patternSize } from '../../../src/ci-config/expressions/pattern-size.js'
import { parseRegexLiteral } from '../../../src/ci-config/expressions/regex-literal.js'

const operands = { variable: (name: string) => (name === 'U' ? undefined : name.toLowerCase()) }

const word = fc.constantFrom(
  ...[
    '$A',
    '$U',
    '"x"',
    "''",
    'null',
    'true',
    'false',
    '/ab/',
    '/^a+$/i',
    '==',
    '!=',
    '=~',
    '!~',
    '&&',
    '||',
    '!',
  ],
  ...['(', ')', ' ', '$[[ inputs.x ]]', '\\', '/', '"', '$', '{', 'x'],
)

test('any text is either an expression or a syntax error', () => {
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string(),
        fc.array(word).map((words) => words.join(' ')),
      ),
      (text) => {
        const expression = parseExpression(text)
        return expression === undefined || typeof holds(expression, operands) === 'boolean'
      },
    ),
    { numRuns: 3000 },
  )
})

/** The expression with all possible parentheses, and its value by the table of operators. */
interface Sample {
  text: string
  expression: Expression
}

const leaf: fc.Arbitrary<Sample> = fc.oneof(
  fc
    .constantFrom('A', 'U', 'CI_X')
    .map((name): Sample => ({ text: `$${name}`, expression: { kind: 'variable', name } })),
  fc
    .constantFrom(...['', 'x', "it's", 'a b', '$A', '||'])
    .map((value): Sample => ({ text: `"${value}"`, expression: { kind: 'value', value } })),
  fc
    .constantFrom(null, true, false)
    .map((value): Sample => ({ text: String(value), expression: { kind: 'value', value } })),
)

const { sample } = fc.letrec<{ sample: Sample }>((tie) => ({
  sample: fc.oneof(
    { maxDepth: 4 },
    leaf,
    tie('sample').map(({ text, expression }): Sample => ({
      text: `!(${text})`,
      expression: { kind: 'not', operand: expression },
    })),
    fc
      .tuple(tie('sample'), fc.constantFrom('==', '!=', '&&', '||'), tie('sample'))
      .map(([left, operator, right]): Sample => ({
        text: `(${left.text}) ${operator} (${right.text})`,
        expression: { kind: 'operation', operator, left: left.expression, right: right.expression },
      })),
  ),
}))

test('what is written with all its parentheses is understood as it is written', () => {
  fc.assert(
    fc.property(sample, ({ text, expression }) => {
      fc.pre((text.match(/\(|\)|!=|==|&&|\|\||!|\$\w+|"[^"]*"|null|true|false/g) ?? []).length <= 100)
      expect(parseExpression(text)).toEqual(expression)
      expect(namesIn(expression, 'variable')).toHaveLength(
        (text.match(/\$(?:A|U|CI_X)\b(?!")/g) ?? []).length,
      )
    }),
  )
})

test('a regular expression that takes a backtracking engine exponential time is matched in linear time', () => {
  const expression = parseExpression('$A =~ /^(a+)+$/ || $A =~ /^(a|aa)+$/ || $A =~ /(.*)*(.*)*x$/')
  expect(expression && holds(expression, { variable: () => `${'a'.repeat(20_000)}!` })).toBe(false)
})

test('a regular expression is refused before it becomes a large program', () => {
  const large = ['x{1000}'.repeat(500), '((x{100}){100})', 'x{1000,}'.repeat(5), '(?:(?:a{30}){30}){30}']
  for (const body of large) expect(parseRegexLiteral(`/${body}/`)).toBe('invalid')
})

test('long texts are read through once', () => {
  const long = 200_000
  for (const text of [
    '('.repeat(long),
    '"'.repeat(long),
    '/\\'.repeat(long),
    ' '.repeat(long),
    '$A'.repeat(long),
  ]) {
    expect(parseExpression(text)).toBeUndefined()
  }
  expect(parseExpression(`"${'x'.repeat(long)}"`)).toBeDefined()
  expect(parseExpression(`$A =~ /${'x'.repeat(long)}/`)).toBeUndefined()
})

test('the program of a regular expression is at most three times as large as estimated', () => {
  const part = fc.constantFrom(
    ...[
      'a',
      'b|c',
      '.',
      '[a-z]',
      '[]{9}]',
      '[^\\]]',
      '\\d',
      '\\{',
      '\\p{L}',
      '\\x{41}',
      '(',
      ')',
      '(?:',
      '*',
      '+',
      '?',
    ],
    ...['{2}', '{3,}', '{0,5}', '{1,2}', '{', '}', '^', '$'],
  )
  fc.assert(
    fc.property(fc.array(part, { maxLength: 12 }), (parts) => {
      const body = parts.join('')
      let program: number
      try {
        program = RE2JS.compile(body).programSize()
      } catch {
        return true
      }
      // The program has steps of its own at its ends, and one for each part that may be left out or either of two.
      return program <= 3 * patternSize(body) + 3
    }),
    { numRuns: 2000 },
  )
})
