import { expect, test } from 'vitest'

import { parseTemplate } from '../../../../src/coordinator/hosting/changelogs/template/parse-template.js'
import {
  renderChangelogTemplate,
  type TemplateValue,
} from '../../../../src/coordinator/hosting/changelogs/template/render-template.js'

function render(template: string, data: TemplateValue = {}): string {
  return renderChangelogTemplate(parseTemplate(template), data)
}

test.each<[string, TemplateValue, string]>([
  ['{% if valid %}\nyes\n{% else %}\nnope\n{% end %}\n', { valid: true }, 'yes\n'],
  ['{% if valid %}\nyes\n{% else %}\nnope\n{% end %}\n', { valid: [] }, 'nope\n'],
  ['{% if valid %}yes{% end %}', { valid: {} }, ''],
  ['{% if valid %}yes{% end %}', { valid: '' }, ''],
  ['{% if valid %}yes{% end %}', { valid: 0 }, 'yes'],
  ['{% each users %}\n{{name}}\n{% end %}', { users: [{ name: 'a' }, { name: 'b' }] }, 'a\nb\n'],
  ['{% each numbers %}{{ it }},{% end %}', { numbers: [1, 2] }, '1,2,'],
  ['{{ users.0.name }}{{ users.9.name }}', { users: [{ name: 'a' }] }, 'a'],
  ['{{ trailers.Signed-off-by }}', { trailers: { 'Signed-off-by': 'x' } }, 'x'],
  ['one\\\n two', {}, 'one two'],
  ['---\n{% if foo %}\nbar\n{% end %}\n---\n', { foo: true }, '---\nbar\n---\n'],
  ['{{ constructor }}{{ name.length }}', { name: 'x' }, ''],
])('the template %j of %j is %j', (template, data, expected) => {
  expect(render(template, data)).toBe(expected)
})

test('what a value contains is no part of the template', () => {
  expect(render('{{ title }}', { title: '{{ secret }}{% end %}', secret: 'x' })).toBe('{{ secret }}{% end %}')
})

test.each([
  ['{% if a %}', 'The template has a statement without {% end %}'],
  ['{% end %}', 'The template has a statement that is not valid: {% end %}'],
  ['{% each a %}{% else %}{% end %}', 'The template has a statement that is not valid: {% else %}'],
  ['{% if a b %}{% end %}', 'The template has a statement that is not valid: {% if a b %}'],
  ['{{ a', 'The template has {{ without }}'],
  ['{{ a..b }}', 'The template has a variable that is not valid: a..b'],
  ['{% if a %}'.repeat(21), 'The template has more than 20 statements inside one another'],
])('the template %j is refused with the reason', (template, problem) => {
  expect(() => render(template)).toThrow(problem)
})

test('loops have a limited depth, and a template a limited number of steps and length', () => {
  const numbers = Array.from({ length: 1500 }, (_, index) => index)
  const nested = (times: number, inside: string) =>
    `${'{% each it %}'.repeat(times)}${inside}${'{% end %}'.repeat(times)}`
  expect(render(nested(4, 'x'), [[[['a']]]])).toBe('x')
  expect(() => render(nested(5, 'x'), [[[[['a']]]]])).toThrow('You can only nest up to 4 loops')
  expect(() => render(`{% each it %}${'x'.repeat(10_000)}{% end %}`, numbers)).toThrow('too long')
  expect(() => render(`{% each it %}${'{% if no %}{% end %}'.repeat(2000)}{% end %}`, numbers)).toThrow(
    'too many steps',
  )
})
