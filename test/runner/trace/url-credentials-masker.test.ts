import { expect, test } from 'vitest'

import { UrlCredentialsMasker } from '../../../src/runner/trace/byte-filters.js'
import { filtered } from './support/pieces.js'

const TOKEN = 'ghp_0123456789abcdefghij'

test.each([
  ['a password', 'https://user:pass@host/path', 'https://user:[MASKED]@host/path'],
  ['of any scheme', 'postgres://user:pass@host:5432/db', 'postgres://user:[MASKED]@host:5432/db'],
  ['without a user', 'redis://:pass@host', 'redis://:[MASKED]@host'],
  ['with colons and signs in it', 'a://u:p@s:s@host x@y', 'a://u:[MASKED]@host x@y'],
  ['in quotes', `"https://u:p@host"`, `"https://u:[MASKED]@host"`],
  ['in each address of a list', 'a://u:p@h,b://u:q@h', 'a://u:[MASKED]@h,b://u:[MASKED]@h'],
  ['a token alone', `https://${TOKEN}@host`, 'https://[MASKED]@host'],
  ['once if it is masked already', 'https://u:[MASKED]@host', 'https://u:[MASKED]@host'],
])('masks %s', (_name, text, expected) => {
  expect(filtered(new UrlCredentialsMasker(), [text]).toString()).toBe(expected)
  expect(filtered(new UrlCredentialsMasker(), Array.from(text)).toString()).toBe(expected)
})

test.each([
  ['a user without a password', 'ssh://git@host/path'],
  ['an empty password', 'https://user:@host'],
  ['a port', 'http://host:8080/path, mail me@host'],
  ['an @ in a path', 'https://host/@scope/package@1.0.0'],
  ['an address of mail', 'user:pass@host'],
  ['what is too long to be an address', `a://u:${'x'.repeat(5000)}@host`],
])('keeps %s', (_name, text) => {
  expect(filtered(new UrlCredentialsMasker(), [text]).toString()).toBe(text)
})

test('a URL is printed as soon as it cannot contain a password', () => {
  const masker = new UrlCredentialsMasker()
  expect(masker.push(Buffer.from('see https://host')).toString()).toBe('see https://')
  expect(masker.push(Buffer.from('/')).toString()).toBe('host/')
})
