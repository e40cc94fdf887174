import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

import { ensureFcgiwrap } from '../../scripts/setup/fcgiwrap.mjs'
import { ensureNginx } from '../../scripts/setup/nginx.mjs'
import { freePort } from './free-port.mjs'
import { stop } from './installation.mjs'
import { runGit } from './plain-git.mjs'

/** As many as a coordinator runs for one repository. */
const PROCESSES = 8

/**
 * nginx with `git http-backend`, which serves the repositories in `folder` to everybody.
 * @param {string} folder
 */
export async function startGitHttpBackend(folder) {
  await mkdir(folder, { recursive: true })
  const socket = join(folder, 'fcgi.socket')
  const port = await freePort()
  const backend = join(await runGit(['--exec-path']), 'git-http-backend')
  await writeFile(join(folder, 'nginx.conf'), configuration({ folder, socket, port, backend }))
  // Its processes outlive their parent: they are a group, which ends as one.
  const wrapper = spawn(await ensureFcgiwrap(), ['-c', String(PROCESSES), '-s', `unix:${socket}`], {
    stdio: 'ignore',
    detached: true,
  })
  const nginx = spawn(await ensureNginx(), ['-c', join(folder, 'nginx.conf'), '-e', 'stderr'], {
    stdio: 'ignore',
  })
  while (!(await isListening(port))) await sleep(50)
  return {
    url: `http://127.0.0.1:${port}`,
    async stop() {
      const ended = once(wrapper, 'exit')
      if (wrapper.pid !== undefined) process.kill(-wrapper.pid, 'SIGTERM')
      await Promise.all([ended, stop(nginx, 'SIGTERM')])
    },
  }
}

/** @param {{ folder: string, socket: string, port: number, backend: string }} parts */
function configuration({ folder, socket, port, backend }) {
  const buffers = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
  /** @type {Record<string, string>} */
  const parameters = {
    SCRIPT_FILENAME: backend,
    GIT_PROJECT_ROOT: folder,
    GIT_HTTP_EXPORT_ALL: '1',
    GIT_PROTOCOL: '$http_git_protocol',
    PATH_INFO: '$uri',
    REMOTE_USER: 'bench',
    REQUEST_METHOD: '$request_method',
    QUERY_STRING: '$query_string',
    CONTENT_TYPE: '$content_type',
    CONTENT_LENGTH: '$content_length',
  }
  return `
daemon off;
master_process off;
user root;
pid ${join(folder, 'nginx.pid')};
events { worker_connections 2048; }
http {
  access_log off;
  client_max_body_size 0;
  ${buffers.map((name) => `${name}_temp_path ${join(folder, name)};`).join('\n  ')}
  server {
    listen 127.0.0.1:${port} backlog=1024;
    location / {
      fastcgi_buffering off;
      fastcgi_read_timeout 600;
      ${Object.entries(parameters)
        .map(([name, value]) => `fastcgi_param ${name} "${value}";`)
        .join('\n      ')}
      fastcgi_pass unix:${socket};
    }
  }
}
`
}

/** @param {number} port */
async function isListening(port) {
  const socket = connect(port, '127.0.0.1')
  try {
    await once(socket, 'connect')
    return true
  } catch {
    return false // it does not listen yet
  } finally {
    socket.destroy()
  }
}
