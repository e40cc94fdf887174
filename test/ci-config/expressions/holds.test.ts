import { describe, expect, test } from 'vitest'

import { holds } from '../../../src/ci-config/expressions/holds.js'
import { parseExpression } from '../../../src/ci-config/expressions/parse-expression.js'

const values: Record<string, string> = {
  A: 'x',
  E: '',
  F: 'false',
  R: '/^v\\d+/',
  BLANK: ' \n\t',
  ZERO: '0',
  OTHER: '$A',
  SLASHES: '/a\\/b/',
  ANY_CASE: '/^X$/i',
  ONE: '/x/',
  BROKEN: '/(/',
  FLAGGED: '/x/g',
  ABC: 'abc',
  TRUE: 'true',
  LINES: 'one\ntwo',
  CI_COMMIT_BRANCH: 'feature/a',
  _1: 'y',
}

function result(text: string): boolean | 'invalid' {
  const expression = parseExpression(text)
  return expression ? holds(expression, { variable: (name) => values[name] }) : 'invalid'
}

describe('the conformance vectors', () => {
  test.each<[string, boolean | 'invalid']>([
    ['$A', true],
    ['$E', false],
    ['$F', true],
    ['$U', false],
    ['$U == null', true],
    ['$E == null', false],
    ['$E == ""', true],
    ['$U == ""', false],
    ["$A == 'x'", true],
    ["'x' == $A", true],
    ['$A != "y"', true],
    ['$A == $A && $U == null', true],
    ['$A == "y" || $A == "x" && $E == ""', true],
    ['($A == "x" || $U) && $E', false],
    ['$E || $A', false],
    ['$U || $A', true],
    ['$A =~ /X/i', 'invalid'],
    ['$A =~ /^x$/', true],
    ['$A =~ /^X$/i', true],
    ['$A !~ /yy/', true],
    ['"v12" =~ $R', true],
    ['$R =~ /v/i', 'invalid'],
    ['$A =~ $U', false],
    ['$A !~ $U', true],
    ['$A =~ "axb"', true],
    ['${A}', 'invalid'],
    ['$A = "x"', 'invalid'],
    ['$A == "x" and $E', 'invalid'],
    ['$CI_COMMIT_BRANCH =~ /^feature\\/.+/', true],
  ])('%s: %j', (text, expected) => {
    expect(result(text)).toBe(expected)
  })
})

describe('presence', () => {
  test.each<[string, boolean]>([
    ['$BLANK', false],
    ['$ZERO', true],
    ['""', false],
    ['"x"', true],
    ['null', false],
    ['true', true],
    ['false', false],
    ['/ab/', true],
    ['!$U', true],
    ['!$E', true],
    ['!$A', false],
    ['!!$A', true],
    ['!($A && $U)', true],
    ['!$U && !$E', true],
  ])('%s: %j', (text, expected) => {
    expect(result(text)).toBe(expected)
  })
})

describe('the operators', () => {
  test.each<[string, boolean]>([
    // `!` binds tighter than a comparison: this compares false with "x".
    ['!$A == "x"', false],
    ['!$A == "false"', true],
    ['!$A == false', true],
    // From the left: true is compared with "true".
    ['$A == "x" == "true"', true],
    ['$A == "x" != "true"', false],
    ['$A == "x" && $A == "x" || $U && $U', true],
    ['$U && $U || $A', true],
    ['$U && ($U || $A)', false],
    // An empty text is not false inside the operators.
    ['$E && $A', true],
    ['$A && $E', false],
    ['$E || $U || $A', false],
    ['($E || $U) == ""', true],
    ['($U && $A) == null', true],
    ['$TRUE == true', true],
    ['true == $TRUE', true],
    ['$A == true', false],
    ['null == null', true],
    ['null != null', false],
    ['null == false', false],
    ['$OTHER == "$A"', true],
    ['$OTHER == $A', false],
    ['$_1 == "y"', true],
    ['$A=="x"&&!$U', true],
    ['\t$A\n==\n"x" ', true],
    ['"a\'b" == "a\'b"', true],
    ['"a\\" == "a\\"', true],
    ['/ab/ == /ab/', true],
    ['/ab/ == /ab/i', false],
    ['"/ab/" == /ab/', false],
    ['$A == /x+/', false],
  ])('%s: %j', (text, expected) => {
    expect(result(text)).toBe(expected)
  })
})

describe('regular expressions', () => {
  test.each<[string, boolean]>([
    ['$ABC =~ /bc/', true],
    ['$ABC =~ /^bc/', false],
    ['$ABC =~ /BC/', false],
    ['$ABC =~ /BC/i', true],
    ['$ABC =~ /x*/', true],
    ['$U =~ /^$/', true],
    ['$E =~ /^$/', true],
    ['$U !~ /^$/', false],
    ['$LINES =~ /^two$/', false],
    ['$LINES =~ /^two$/m', true],
    ['$LINES =~ /one.two/', false],
    ['$LINES =~ /one.two/s', true],
    ['"a/b" =~ $SLASHES', true],
    ['"a/b" =~ /a\\/b/', true],
    ['$A =~ $ANY_CASE', true],
    ['$A =~ $ONE', true],
    ['$A !~ $ONE', false],
    // No regular expression: the left one is looked for in the right one.
    ['$A =~ $FLAGGED', true],
    ['$A !~ "abc"', true],
    ['$U =~ "abc"', true],
    ['$ABC =~ "b"', false],
    ['$A =~ true', false],
    ['"tr" =~ true', true],
    // One that cannot be understood: the whole expression does not hold.
    ['$A =~ $BROKEN', false],
    ['$A !~ $BROKEN', false],
    ['$A == "x" || $A =~ $BROKEN', true],
    ['$A =~ $BROKEN || $A', false],
    ['true =~ /^true$/', true],
  ])('%s: %j', (text, expected) => {
    expect(result(text)).toBe(expected)
  })
})

describe('invalid expressions', () => {
  test.each([
    '',
    ' ',
    '$',
    '%A%',
    'A',
    '1',
    '$A $A',
    '$A "x" ==',
    '== "x"',
    '$A ==',
    '$A == == "x"',
    '$A & $A',
    '$A | $A',
    '$A > "x"',
    '$A === "x"',
    '(',
    ')',
    '()',
    '($A',
    '$A)',
    '($A))',
    '!',
    '$A !',
    '$A ! $A',
    '"x',
    "'x",
    '"x\'',
    '"x\ny"',
    '$A =~ /',
    '$A =~ //',
    '$A =~ /a/',
    '$A =~ /ab',
    '$A =~ /ab\\/',
    '$A =~ /ab/x',
    '$A =~ /(ab/',
    '$A =~ /(?=ab)/',
    '$A =~ /(a)\\1/',
    '$A =~ /a{1001}/',
    'nullx',
    'truex',
    'falsehood',
    'True',
    '$[[ inputs ]]',
    '$[[ other.x ]]',
    '$A # comment',
    '$A; $A',
    '\0',
  ])('%j', (text) => {
    expect(result(text)).toBe('invalid')
  })
})

test('a hundred words are an expression, one more is none', () => {
  const words = (count: number) => Array.from({ length: count }, () => '!').join('')
  expect(result(`${words(99)}$A`)).toBe(false)
  expect(result(`${words(100)}$A`)).toBe('invalid')
})

describe('inputs', () => {
  const inputs: Record<string, string | boolean> = { env: 'prod', debug: false, 'with-dash': 'yes' }

  test.each<[string, boolean]>([
    ['$[[ inputs.env ]] == "prod"', true],
    ['$[[inputs.env]] == "dev"', false],
    ['$[[ inputs.debug ]]', false],
    ['$[[ inputs.debug ]] == false', true],
    ['$[[ inputs.debug ]] == "false"', true],
    ['$[[ inputs.other ]] == null', true],
    ['$[[ inputs.with-dash ]] =~ /^yes$/ && $[[ inputs.env ]] =~ /^pr/', true],
  ])('%s: %j', (text, expected) => {
    const expression = parseExpression(text)
    const operands = { variable: () => undefined, input: (name: string) => inputs[name] }
    expect(expression && holds(expression, operands)).toBe(expected)
  })
})
