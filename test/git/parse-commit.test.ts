import { expect, test } from 'vitest'

import { parseCommit } from '../../src/git/parse-commit.js'

const tree = 'tree 4b825dc642cb6eb9a060e54bf8d69288fbee4904'
const parents = ['a'.repeat(40), 'b'.repeat(40)]

test('a merge commit with a signature is parsed', () => {
  const lines = [
    tree,
    ...parents.map((parent) => `parent ${parent}`),
    'author Ada Lovelace <ada@example.com> 1714550400 +0200',
    'committer Charles <c@example.com> 1714550460 -0930',
    'gpgsig -----BEGIN PGP SIGNATURE-----',
    ' ',
    ' author Nobody <n@example.com> 1 +0000',
    ' -----END PGP SIGNATURE-----',
    '',
    'Merge both\n\nWith a body\n',
  ]
  expect(parseCommit('c'.repeat(40), Buffer.from(lines.join('\n')))).toEqual({
    id: 'c'.repeat(40),
    parentIds: parents,
    title: 'Merge both',
    message: 'Merge both\n\nWith a body\n',
    authorName: 'Ada Lovelace',
    authorEmail: 'ada@example.com',
    authoredDate: '2024-05-01T10:00:00.000+02:00',
    committerName: 'Charles',
    committerEmail: 'c@example.com',
    committedDate: '2024-04-30T22:31:00.000-09:30',
  })
})

test('a message in another encoding is decoded', () => {
  const head = `${tree}\nauthor A <a@x> 0 +0000\ncommitter A <a@x> 0 +0000\nencoding ISO-8859-1\n\n`
  const content = Buffer.concat([Buffer.from(head), Buffer.from('Grüße', 'latin1')])
  expect(parseCommit('d'.repeat(40), content).title).toBe('Grüße')
})

test('an invalid signature gives empty fields, not an error', () => {
  const content = Buffer.from(`${tree}\nauthor nonsense\ncommitter X <x> 99999999999999 +0000\n\nhello`)
  expect(parseCommit('e'.repeat(40), content)).toMatchObject({
    authorName: '',
    authoredDate: '1970-01-01T00:00:00.000+00:00',
    committedDate: '1970-01-01T00:00:00.000+00:00',
    message: 'hello',
  })
})
