import { expect, test } from 'vitest'

import { generatedPaths } from '../../../../src/coordinator/hosting/repositories/browse/generated-paths.js'
import { ObjectTooLargeError } from '../../../../src/git/errors.js'

/** The paths that are marked, with these files of attributes in the commit `c`. */
async function marked(attributes: Record<string, string>, paths: string[]): Promise<string[]> {
  const read = (name: string) => {
    const text = attributes[name.replace(/^c:/, '')]
    if (text === 'large') return Promise.reject(new ObjectTooLargeError(name, 2, 1))
    return Promise.resolve(
      text === undefined ? undefined : { id: '1', type: 'blob' as const, content: Buffer.from(text) },
    )
  }
  return [...(await generatedPaths({ objects: { read } }, 'c', paths))]
}

test.each([
  ['*.lock linguist-generated', ['a.lock', 'deep/in/b.lock']],
  ['*.lock linguist-generated=true text=auto eol=lf', ['a.lock', 'deep/in/b.lock']],
  ['*.lock gitlab-generated', ['a.lock', 'deep/in/b.lock']],
  ['*.lock -diff', ['a.lock', 'deep/in/b.lock']],
  ['*.lock binary', ['a.lock', 'deep/in/b.lock']],
  ['*.lock diff=xml', []],
  ['*.lock linguist-generated=false', []],
  ['/*.lock linguist-generated', ['a.lock']],
  ['deep/**/*.lock linguist-generated', ['deep/in/b.lock']],
  ['deep/** linguist-generated', ['deep/in/b.lock', 'deep/c.ts']],
  ['in/* linguist-generated', []],
  ['deep/ linguist-generated', []],
  ['* linguist-generated\n*.ts -linguist-generated\n*.lock !linguist-generated', ['.gitattributes']],
  ['# *.lock linguist-generated\n!*.lock linguist-generated\n"*.lock" linguist-generated', []],
  ['large', []],
])('the attributes "%s" mark %j', async (text, expected) => {
  const paths = ['.gitattributes', 'a.lock', 'deep/c.ts', 'deep/in/b.lock']
  expect((await marked({ '.gitattributes': text }, paths)).toSorted()).toEqual(expected.toSorted())
})

test('a file of attributes in a folder counts below it, and more than the one above it', async () => {
  const attributes = {
    '.gitattributes': '*.ts linguist-generated',
    'deep/[x]/.gitattributes': '*.ts -linguist-generated\n/made/*.ts linguist-generated',
  }
  const paths = ['a.ts', 'deep/[x]/b.ts', 'deep/[x]/made/c.ts', 'deep/x/d.ts']
  expect(await marked(attributes, paths)).toEqual(['a.ts', 'deep/[x]/made/c.ts', 'deep/x/d.ts'])
})

test('patterns that take too long mark nothing', async () => {
  const lines = Array.from(
    { length: 400 },
    (_, index) => `${'**/*a*b'.repeat(20)}${index} linguist-generated`,
  )
  const paths = Array.from({ length: 3000 }, (_, index) => `${'ab/'.repeat(40)}${index}`)
  const begun = performance.now()
  await marked({ '.gitattributes': lines.join('\n') }, paths)
  expect(performance.now() - begun).toBeLessThan(1000)
})
