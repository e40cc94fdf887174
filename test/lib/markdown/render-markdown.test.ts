import { expect, test } from 'vitest'

import { renderMarkdown, renderMarkdownDocument } from '../../../src/lib/markdown/render-markdown.js'
import { sampled } from '../../support/nightly.js'

const REL = 'rel="nofollow noreferrer noopener"'

test.each([
  ['# One\n\n- *a*\n- `b`', '<h1>One</h1>\n<ul>\n<li><em>a</em></li>\n<li><code>b</code></li>\n</ul>\n'],
  ['see https://a.test/x', `<p>see <a href="https://a.test/x" ${REL}>https://a.test/x</a></p>\n`],
  ['[a](docs/b.md#c)', `<p><a href="docs/b.md#c" ${REL}>a</a></p>\n`],
  ['[a][1]\n\n[1]: http://b.test "t"', `<p><a href="http://b.test" title="t" ${REL}>a</a></p>\n`],
  ['|a|\n|-:|\n|b|', expect.stringContaining('<td align="right">b</td>')],
  ['|a|\n|-|\n|~~b~~|', expect.stringContaining('<td><s>b</s></td>')],
])('Markdown is rendered as HTML: %j', async (text, html) => {
  expect(await renderMarkdown(text)).toEqual(html)
})

test.each([
  '<script>alert(1)</script>',
  '<img src=x onerror=alert(1)>',
  '<a href="javascript:alert(1)">a</a>',
  '<!-- --><svg/onload=alert(1)>',
  '[a](javascript:alert(1))',
  '[a](JaVaScRiPt:alert(1))',
  '[a](java&#115;cript:alert(1))',
  '[a](java%73cript:alert(1))',
  '[a](<java\tscript:alert(1)>)',
  '[a](\u0001javascript:alert(1))',
  '[a](vbscript:x)',
  '[a](data:text/html;base64,PHNjcmlwdD4=)',
  '![a](data:image/svg+xml;base64,PHN2Zz4=)',
  '[a](file:///etc/passwd)',
  '<javascript:alert(1)>',
  '[a]\n\n[a]: javascript:alert(1)',
  '[a](http://a.test "\\" onclick=alert(1) \\"")',
  '![" onerror="alert(1)](http://a.test)',
  '```" onload="alert(1)\nx\n```',
])('Markdown renders no active markup: %j', async (text) => {
  const html = await renderMarkdown(text)
  expect(html).not.toMatch(/<(script|svg|iframe|object)/i)
  for (const [tag] of html.matchAll(/<[^>]*>/g)) {
    expect(tag).not.toMatch(/(href|src)="(?!http:\/\/a\.test|java%73cript)/)
    expect(tag.replaceAll(/"[^"]*"/g, '')).not.toMatch(/\son\w+=/i)
  }
})

const LARGE_TEXTS = [
  ['addresses', `[a]: /${'b'.repeat(30_000)}\n\n${'[a]'.repeat(10_000)}`],
  ['brackets', '['.repeat(65_000)],
  ['tables', `a|a\n-|-\n${'|\n'.repeat(30_000)}`],
  ['quotes', '> '.repeat(32_000)],
  ['titles', `[a]: /b "${'t'.repeat(30_000)}"\n\n${'![a]'.repeat(8_000)}`],
] as const

test.each(sampled(LARGE_TEXTS, 3))('a text of many %s stays small', async (_, text) => {
  expect((await renderMarkdown(text)).length).toBeLessThan(20 * text.length)
})

test('a text over the limit is not rendered', async () => {
  const text = '<b>*a*'.repeat(20_000)
  expect(await renderMarkdown(text)).toBe(`<pre>${'&lt;b&gt;*a*'.repeat(20_000)}</pre>`)
})

const PLACE = { base: '/group/project/-', ref: 'main', path: 'README.md' }

test.each([
  ['[a](docs/b.md#c)', `<p><a href="/group/project/-/blob/main/docs/b.md#c" ${REL}>a</a></p>\n`],
  ['![a](b.png)', '<p><img src="/group/project/-/raw/main/b.png" alt="a"></p>\n'],
  ['[a](#b)', `<p><a href="#user-content-b" ${REL}>a</a></p>\n`],
  ['[a](https://a.test/x)', `<p><a href="https://a.test/x" ${REL}>a</a></p>\n`],
  ['[a](//a.test/x)', `<p><a href="//a.test/x" ${REL}>a</a></p>\n`],
  ['[a](mailto:a@a.test)', `<p><a href="mailto:a@a.test" ${REL}>a</a></p>\n`],
  ['![a](https://a.test/b.png)', `<p><a href="https://a.test/b.png" ${REL}>a</a></p>\n`],
  ['![](https://a.test/b.png)', `<p><a href="https://a.test/b.png" ${REL}>https://a.test/b.png</a></p>\n`],
  ['[![a](https://a.test/b.png)](x)', `<p><a href="/group/project/-/blob/main/x" ${REL}>a</a></p>\n`],
  ['- [x] a', expect.stringContaining('type="checkbox"')],
])('a document links to the files beside it: %j', async (text, html) => {
  expect(await renderMarkdownDocument(text, PLACE)).toEqual(html)
})

const IN_WIKI = {
  pages: '/g/p/-/wikis',
  files: '/api/v4/projects/1/wiki_attachments',
  path: 'Guide/Start.md',
}
const ATTACHED = `uploads/${'0'.repeat(32)}/a.png`

test.each([
  ['[a](Next)', `<p><a href="/g/p/-/wikis/Guide/Next" ${REL}>a</a></p>\n`],
  ['[a](../Other.md#b)', `<p><a href="/g/p/-/wikis/Other#b" ${REL}>a</a></p>\n`],
  ['[a](/)', `<p><a href="/g/p/-/wikis" ${REL}>a</a></p>\n`],
  ['[[Guide/First steps]]', `<p><a href="/g/p/-/wikis/Guide/First-steps" ${REL}>Guide/First steps</a></p>\n`],
  ['[[Here|Home#b]]', `<p><a href="/g/p/-/wikis/Home#b" ${REL}>Here</a></p>\n`],
  [
    '[[javascript:alert(1)]]',
    `<p><a href="/g/p/-/wikis/javascript%3Aalert(1)" ${REL}>javascript:alert(1)</a></p>\n`,
  ],
  ['`[[a]]` [[_TOC_]]', '<p><code>[[a]]</code> [[<em>TOC</em>]]</p>\n'],
  [`![a](${ATTACHED})`, `<p><img src="${IN_WIKI.files}/${encodeURIComponent(ATTACHED)}" alt="a"></p>\n`],
  [`[a](${ATTACHED})`, `<p><a href="${IN_WIKI.files}/${encodeURIComponent(ATTACHED)}" ${REL}>a</a></p>\n`],
])('a page of a wiki links to pages and files of its wiki: %j', async (text, html) => {
  expect(await renderMarkdownDocument(text, IN_WIKI)).toEqual(html)
})

test('a page of a wiki has links that are found in its texts, outside of its own links, code and pictures', async () => {
  const attributes = { title: 'Issue' }
  const text = '# On #1\n\n![#1](https://a.example/b) [[#1]] [#1](Next) `#1` see #1'
  const html = await renderMarkdownDocument(text, IN_WIKI, async (texts) =>
    texts.map(({ text: shown }) => {
      const start = shown.indexOf('#1')
      return start < 0 ? [] : [{ start, end: start + 2, href: '/issue', text: '#1', attributes }]
    }),
  )
  const link = '<a href="/issue" title="Issue">#1</a>'
  expect(html).toContain(`<h1 id="user-content-on-1">On ${link}</h1>`)
  expect(html).toContain(`<code>#1</code> see ${link}</p>`)
  expect(html.split(link)).toHaveLength(3)
})

test('headings of a document have the names that links use, numbered when they repeat', async () => {
  const html = await renderMarkdownDocument('# Get *started*, now!\n# A `b`_c\n## Übung 1\n# A\n# A\n', PLACE)
  const ids = [...html.matchAll(/<h\d id="([^"]*)"/g)].map(([, id]) => id)
  expect(ids).toEqual(
    ['get-started-now', 'a-b_c', 'übung-1', 'a', 'a-1'].map((name) => `user-content-${name}`),
  )
})

test('a document of many pictures of other hosts stays small', async () => {
  const text = `[a]: https://a.test/${'b'.repeat(30_000)}\n\n${'![][a]'.repeat(5_000)}`
  expect((await renderMarkdownDocument(text, PLACE)).length).toBeLessThan(20 * text.length)
})
