import fc from 'fast-check'

const AT = '2024-05-22T12:43:46.962646Z 01O'

const name = fc.constantFrom('a', 'b', 'step_script', 'x.y-z')
const words = fc.constantFrom(
  'hello',
  '',
  ' ',
  'wörld',
  '\x1b[31mred\x1b[0m',
  '\x1b[1;38;5;9m',
  '10 %\r',
  'section_',
  'section_start:1:',
  '\r',
  '\r\x1b[0K',
  `${AT} `,
  `${AT}+`,
  '\x1b]8;;http://a.example\x1b\\link\x1b]8;;\x1b\\',
)
const marker = fc
  .tuple(
    fc.constantFrom('start', 'end'),
    fc.nat(2_000_000_000),
    name,
    fc.constantFrom('', '[collapsed=true]'),
  )
  .map(([kind, time, of, options]) => `section_${kind}:${time}:${of}${options}\r\x1b[0K`)
const bareMarker = fc
  .tuple(fc.constantFrom('start', 'end'), name)
  .map(([kind, of]) => `${AT} section_${kind}:9:${of}\r`)
const long = fc
  .tuple(fc.constantFrom('x', ' ', '1 %\r', 'é', '\x1b[32mg'), fc.integer({ min: 500, max: 12_000 }))
  .map(([text, length]) => text.repeat(Math.ceil(length / text.length)))

const text = fc.oneof(
  { weight: 8, arbitrary: words.map((value) => Buffer.from(value)) },
  { weight: 4, arbitrary: marker.map((value) => Buffer.from(value)) },
  { weight: 2, arbitrary: bareMarker.map((value) => Buffer.from(`${value}\n`)) },
  { weight: 1, arbitrary: long.map((value) => Buffer.from(value)) },
  { weight: 2, arbitrary: fc.uint8Array({ maxLength: 4 }).map((value) => Buffer.from(value)) },
  { weight: 4, arbitrary: fc.constant(Buffer.from('\n')) },
  {
    weight: 1,
    arbitrary: fc.integer({ min: 1, max: 600 }).map((count) => Buffer.from('line\n'.repeat(count))),
  },
)

/** Logs with everything that is special in them, and with bytes that are not UTF-8. */
export function anyLog(): fc.Arbitrary<Buffer> {
  return fc.array(text, { maxLength: 60 }).map((parts) => Buffer.concat(parts))
}
