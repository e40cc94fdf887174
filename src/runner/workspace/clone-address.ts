import { pathToFileURL } from 'node:url'

import { SourcesError } from './workspace.js'

export interface CloneAddress {
  /** Without user name and password, so that it may be logged, stored and passed on a command line. */
  url: string
  /** Git settings that give access, such as credentials. They must be passed in the environment. */
  credentials: Record<string, string>
}

/** Splits a clone URL, so that its token is on no command line and in no file (runner protocol, 7.9). */
export function parseCloneAddress(repoUrl: string): CloneAddress {
  const url = parseHttpUrl(repoUrl)
  const { username, password, origin } = url
  url.username = ''
  url.password = ''
  if (username === '' && password === '') return { url: url.href, credentials: {} }
  const pair = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`
  const header = `Authorization: Basic ${Buffer.from(pair).toString('base64')}`
  return { url: url.href, credentials: { [`http.${origin}/.extraHeader`]: header } }
}

/** A repository on this machine. Only the administrator of the runner may name one, never a job. */
export function localAddress(gitDir: string): CloneAddress {
  return { url: pathToFileURL(gitDir).href, credentials: { 'protocol.file.allow': 'always' } }
}

function parseHttpUrl(repoUrl: string): URL {
  const url = URL.canParse(repoUrl) ? new URL(repoUrl) : undefined
  if (url?.protocol === 'http:' || url?.protocol === 'https:') return url
  throw new SourcesError('The address of the repository is not an http or https URL', undefined)
}
