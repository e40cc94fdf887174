import ssh2 from 'ssh2'

import { onFinished } from '../../../support/lifetime.js'
import type { KeyFiles, SshScene } from './ssh-scene.js'

/** Resolves when the client is authenticated; rejects with the reason of the server. */
export function login(scene: Pick<SshScene, 'server'>, config: ssh2.ConnectConfig): Promise<ssh2.Client> {
  const client = new ssh2.Client()
  onFinished(() => {
    client.destroy()
  })
  return new Promise((resolve, reject) => {
    client.once('ready', () => resolve(client))
    client.on('error', reject)
    client.once('close', () => reject(new Error('closed')))
    client.connect({
      host: '127.0.0.1',
      port: scene.server.port,
      username: 'git',
      strictVendor: false,
      ...config,
    })
  })
}

export function withKey(key: Pick<KeyFiles, 'private'>): ssh2.ConnectConfig {
  return { privateKey: key.private }
}

export interface SshResult {
  status: number | null
  /** Output and errors. */
  text: string
}

/** Runs a command with this input. */
export function run(
  client: ssh2.Client,
  command: string,
  { input, ...options }: ssh2.ExecOptions & { input?: Buffer } = {},
): Promise<SshResult> {
  return new Promise((resolve, reject) => {
    client.exec(command, options, (error, channel) => {
      if (error) {
        reject(error)
        return
      }
      let text = ''
      let status: number | null = null
      channel.on('data', (piece: Buffer) => (text += piece.toString()))
      channel.stderr.on('data', (piece: Buffer) => (text += piece.toString()))
      channel.on('exit', (code: number) => (status = code))
      channel.on('close', () => resolve({ status, text }))
      channel.end(input)
    })
  })
}
