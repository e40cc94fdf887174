import { expect, test } from 'vitest'

import { parseGitTarget } from '../../../../../src/coordinator/hosting/repositories/http/git-path.js'

const UPLOAD = 'git-upload-pack'
const RECEIVE = 'git-receive-pack'

test.each([
  ['GET', '/g/p.git/info/refs?service=git-upload-pack', { kind: 'refs', fullPath: 'g/p', service: UPLOAD }],
  [
    'GET',
    '/g/s/p.git/info/refs?service=git-receive-pack',
    { kind: 'refs', fullPath: 'g/s/p', service: RECEIVE },
  ],
  ['GET', '/g/p.git/info/refs', { kind: 'refs', fullPath: 'g/p', service: undefined }],
  ['POST', '/g.wiki.git/git-upload-pack', { kind: 'service', fullPath: 'g.wiki', service: UPLOAD }],
  ['HEAD', '/g/p.git/info/refs?service=git-upload-pack', { kind: 'refs', fullPath: 'g/p', service: UPLOAD }],
  ['GET', '/g/p.git/info/refs?service=git-archive', { kind: 'refs', fullPath: 'g/p', service: undefined }],
  ['POST', '/g/p.git/git-upload-pack', { kind: 'service', fullPath: 'g/p', service: UPLOAD }],
  ['POST', '/g/p%2Eq.git/git-receive-pack', { kind: 'service', fullPath: 'g/p.q', service: RECEIVE }],
  [
    'POST',
    '/g/p.git/info/lfs/objects/batch',
    { kind: 'large-files', fullPath: 'g/p', action: 'info/lfs/objects/batch' },
  ],
  [
    'PUT',
    '/g/p.git/gitlab-lfs/objects/ab/1',
    { kind: 'large-files', fullPath: 'g/p', action: 'gitlab-lfs/objects/ab/1' },
  ],
  [
    'GET',
    '/g/p/info/refs?service=git-upload-pack',
    { kind: 'redirect', location: '/g/p.git/info/refs?service=git-upload-pack' },
  ],
])('%s %s', (method, address, target) => {
  expect(parseGitTarget(method, address)).toEqual(target)
})

test.each([
  ['GET', '/'],
  ['GET', '/p.git/info/refs?service=git-upload-pack'],
  ['GET', '/g/p.git/git-upload-pack'],
  ['POST', '/g/p.git/info/refs'],
  ['GET', '/g/p/info/refs'],
  ['POST', '/g/p/git-upload-pack'],
  ['GET', '/g/p.git/HEAD'],
  ['GET', '/g/%ZZ.git/info/refs'],
])('%s %s is none of ours', (method, address) => {
  expect(parseGitTarget(method, address)).toBeUndefined()
})
