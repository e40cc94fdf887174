import { expect, test } from 'vitest'

import { readSshCommand } from '../../../src/coordinator/hosting/ssh/ssh-command.js'
import { login, run, withKey } from '../../coordinator/hosting/ssh/ssh-client.js'
import { containing, openSshScene } from '../../coordinator/hosting/ssh/ssh-scene.js'

test('a path is only a path: no further command, option, other folder or program', async () => {
  const commands = [
    "git-upload-pack 'ada/app.git; id'",
    "git-upload-pack 'ada/app.git' ; id",
    "git-upload-pack 'ada/app.git'; id",
    "git-upload-pack 'ada/$(id).git'",
    "git-upload-pack 'ada/`id`.git'",
    "git-upload-pack 'ada/app.git\nid'",
    "git-upload-pack 'ada/app.git'\nid",
    "git-upload-pack 'ada/app'\\''.git'",
    "git-upload-pack --upload-pack='id' 'ada/app.git'",
    "git-upload-pack '--upload-pack=id/x'",
    "git-upload-pack '-c/x'",
    "git-upload-pack 'ada/-app.git'",
    "git-upload-pack '../ada/app.git'",
    "git-upload-pack 'ada/../../app.git'",
    "git-upload-pack 'ada/..'",
    "git-upload-pack '/etc'",
    "git-upload-pack '~/ada/app.git'",
    "git-upload-pack '//ada/app.git'",
    "git-upload-archive 'ada/app.git'",
    "GIT-UPLOAD-PACK 'ada/app.git'",
    'git-upload-pack',
    '',
    'id',
    '/bin/sh -c id',
    'scp -f /etc/passwd',
    'git-lfs-authenticate ada/app.git everything',
    'git-lfs-authenticate ../ada/app.git download',
    'git-lfs-authenticate ada/app.git download; id',
    'git-lfs-transfer ada/app.git download',
    "git -c core.pager=id upload-pack 'ada/app.git'",
  ]
  for (const command of commands) expect([command, readSshCommand(command)]).toEqual([command, undefined])
  const scene = await openSshScene()
  const client = await login(scene, withKey(scene.key))
  for (const command of ["git-upload-pack 'ada/app.git'; id", 'id', "git-upload-pack '../../x'"]) {
    expect(await run(client, command)).toEqual({ status: 1, text: containing('only serves git') })
  }
})
