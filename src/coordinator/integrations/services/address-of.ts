import type { IntegrationKind } from './kinds.js'

/** The target of the events of an integration; its credentials are part of the URL. */
export interface Address {
  url: string
  /** Whether the certificate of the server is verified. */
  isVerified: boolean
}

/** Replaces the URL for events that are sent by mail. */
export const MAIL = 'mailto:'

type Values = Readonly<Record<string, unknown>>

/** Undefined for a kind that sends nothing. */
export function addressOf(kind: IntegrationKind, values: Values): Address | undefined {
  const url = urlOf(kind, values)
  return url === undefined ? undefined : { url, isVerified: values['enable_ssl_verification'] !== false }
}

const HOSTS: ReadonlySet<string> = new Set(['webhook', 'server', 'server_host', 'server_port', 'subdomain'])

/** Whether the property decides to which server the integration sends. */
export function isAddress(kind: IntegrationKind, name: string): boolean {
  return kind.properties[name]?.kind === 'url' || HOSTS.has(name)
}

function urlOf({ format }: IntegrationKind, values: Values): string | undefined {
  const text = (name: string) => {
    const value = values[name]
    return typeof value === 'string' ? value : ''
  }
  const encoded = (name: string) => encodeURIComponent(text(name))
  const base = (name: string) => text(name).replace(/\/+$/, '')
  switch (format) {
    case undefined:
      return undefined
    case 'telegram':
      return `${base('hostname') || 'https://api.telegram.org'}/bot${encoded('token')}/sendMessage`
    case 'pushover':
      return 'https://api.pushover.net/1/messages.json'
    case 'packagist': {
      const query = `username=${encoded('username')}&apiToken=${encoded('token')}`
      return `${base('server') || 'https://packagist.org'}/api/update-package?${query}`
    }
    case 'jenkins': {
      const url = new URL(`${base('jenkins_url')}/project/${encoded('project_name')}`)
      url.username = text('username')
      url.password = text('password')
      return url.href
    }
    case 'drone':
      return `${base('drone_url')}/`
    case 'teamcity':
      return `${base('teamcity_url')}/`
    case 'bamboo':
      return `${base('bamboo_url')}/`
    case 'asana':
      return 'https://app.asana.com/'
    case 'assembla':
      return 'https://atlas.assembla.com/'
    case 'pivotaltracker':
      return 'https://www.pivotaltracker.com/'
    case 'campfire':
      return `https://${encoded('subdomain') || 'api'}.campfirenow.com/`
    case 'flowdock':
      return 'https://api.flowdock.com/'
    case 'hipchat':
      return `${base('server') || 'https://api.hipchat.com'}/`
    case 'matrix':
      return `${base('hostname') || 'https://matrix-client.matrix.org'}/`
    case 'irker':
      // Not by HTTP; this is what is checked.
      return `http://${text('server_host') || 'localhost'}/`
    case 'emails-on-push':
    case 'pipelines-email':
      return MAIL
    case 'github':
      return text('repository_url')
    case 'jira':
      return `${base('api_url') || base('url')}/`
    case 'buildkite':
      // A second token, after a colon, is for the status of builds.
      return `https://webhook.buildkite.com/deliver/${encodeURIComponent(text('token').split(':')[0] ?? '')}`
    default:
      return text('webhook')
  }
}
