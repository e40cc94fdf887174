import { expect, test } from 'vitest'

import { instructions } from '../../../src/cli/commands/up/instructions.js'

test('the commands name the token file and the address', () => {
  const lines = instructions({
    url: 'http://127.0.0.1:8929',
    tokenFile: '/data/admin-token',
    dataDir: '/data',
  })
  expect(lines).toContain('  TOKEN=$(cat /data/admin-token)')
  expect(lines).toContain('  git push "http://root:$TOKEN@127.0.0.1:8929/root/my-project.git" HEAD:main')
})

test('a folder with a quote in its name is escaped in the command', () => {
  const lines = instructions({ url: 'http://x', tokenFile: "/it's here/t", dataDir: '/' })
  expect(lines).toContain("  TOKEN=$(cat '/it'\\''s here/t')")
})

test('a token from the environment is named as such', () => {
  const lines = instructions({ url: 'http://x', tokenFile: undefined, dataDir: '/' })
  expect(lines).toContain('  TOKEN=$SWITCHYARD_ADMIN_TOKEN')
})
