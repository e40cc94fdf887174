import { sha256Number } from '../lib/sha256.js'

const LONGEST = 24
const KEPT = 17
const SUFFIX = 6

/**
 * The form of an environment name for host names and labels: lowercase letters, digits and single hyphens, at
 * most 24. A slug that differs from the name ends in a digest of it, so that different names have different
 * slugs (CI language, 15.1).
 */
export function environmentSlug(name: string): string {
  const plain = name.toLowerCase().replace(/[^a-z0-9]/g, '-')
  const slug = (/^[a-z]/.test(plain) ? plain : `env-${plain}`).replace(/-+/g, '-')
  if (slug.length <= LONGEST && slug === name) return slug.replace(/-$/, '')
  const kept = slug.slice(0, KEPT)
  return `${kept}${kept.endsWith('-') ? '' : '-'}${digest(name)}`
}

function digest(name: string): string {
  return sha256Number(name).toString(36).slice(-SUFFIX)
}
