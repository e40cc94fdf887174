import { expect, test } from 'vitest'

import { replaceModules } from '../../../scripts/dev/replace-modules.mjs'
import { readWebBuild } from '../../../scripts/dev/replaced/page-files.mjs'
import { shellOf } from '../../../scripts/dev/replaced/shell.mjs'
import { root } from '../../../scripts/setup/root.mjs'

const SERVE_PAGE = `${root}/src/coordinator/pages/serve-page.ts`

function replacementOf(id: string, importer: string): unknown {
  const { resolveId } = replaceModules()
  if (typeof resolveId !== 'object') throw new Error('The plugin has no filter')
  // The hook uses nothing of its context.
  return Reflect.apply(resolveId.handler, undefined, [id, importer, {}])
}

test.each([
  ['./shell.js', SERVE_PAGE, `${root}/scripts/dev/replaced/shell.mjs`],
  ['./page-files.js', SERVE_PAGE, `${root}/scripts/dev/replaced/page-files.mjs`],
  [
    '../pages/page-files.js',
    `${root}/src/coordinator/start/app.ts`,
    `${root}/scripts/dev/replaced/page-files.mjs`,
  ],
  ['./shell.js', `${root}/src/runner/executor/docker/run.ts`, null],
  ['../../../src/coordinator/pages/shell.js', `${root}/scripts/dev/replaced/shell.mjs`, null],
])('%s in %s is %s', (id, importer, replacement) => {
  expect(replacementOf(id, importer)).toBe(replacement)
})

test('pages start with the entry that Vite serves, and pages without a source are unknown', () => {
  const build = readWebBuild()
  expect(build?.filesOf('pipelines/list')?.entry).toBe('/@pages/main.tsx')
  expect(build?.frame.entry).toBe('/@pages/main.tsx')
  expect(build?.filesOf('no/such-page' as 'home')).toBeUndefined()
})

test('the shell names the nonce of its styles to Vite', () => {
  const html = shellOf({
    title: 'Switchyard',
    files: { entry: '/@pages/main.tsx', styles: [], modules: [] },
    boot: {
      time: 0,
      user: null,
      csrf_token: null,
      style_nonce: 'c3R5bGU=',
      build: 'dev',
      found: 'page',
      external_url: 'http://127.0.0.1:8930',
      serves_ssh: false,
      header_logo: null,
      broadcasts: [],
    },
    reads: [],
    theme: undefined,
    messages: { header: '', footer: '', background: '', color: '' },
    favicon: null,
  })
  expect(html).toContain('<meta property="csp-nonce" nonce="c3R5bGU=">')
})
