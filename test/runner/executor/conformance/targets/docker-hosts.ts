import Docker from 'dockerode'

import { makeCertificates } from '../../../../support/certificates.js'
import { MACHINE_ENGINE } from '../../../../support/machine-engine.js'
import { startSshServer } from '../../../../support/ssh-server.js'
import { startTlsEngine } from '../../../../support/tls-engine.js'
import { makeImages } from '../images.js'
import type { SettingsTable, TargetName } from '../row.js'
import type { Target } from '../target.js'

/** The engine of the machine as a host of the executor `docker-hosts`. `reach` starts what leads to it. */
function hostTarget(name: TargetName, reach: () => Promise<SettingsTable>): Target {
  return {
    name,
    missing: undefined,
    start: async () => ({
      runner: { executor: 'docker-hosts', docker_hosts: [{ name: 'host', ...(await reach()) }] },
      docker: {},
      engines: [new Docker()],
      provide: makeImages,
    }),
  }
}

export const HOST_BY_SOCKET = hostTarget('docker-hosts-unix', async () => ({ host: MACHINE_ENGINE }))

export const HOST_BY_TLS = hostTarget('docker-hosts-tls', async () => {
  const folder = await makeCertificates()
  return { host: await startTlsEngine(folder), tls_verify: true, tls_cert_path: folder }
})

export const HOST_BY_SSH = hostTarget('docker-hosts-ssh', async () => {
  const { host, keyFile } = await startSshServer({ dockerHost: MACHINE_ENGINE })
  return { host, ssh_key_file: keyFile }
})
