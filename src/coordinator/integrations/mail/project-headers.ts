import type { Project } from '../../access/caller.js'

/** Headers by which mail programs sort mails; the names are those that existing filters know. */
export function projectHeaders(
  { id, name, full_path }: Pick<Project, 'id' | 'name' | 'full_path'>,
  host: string,
): Record<string, string> {
  const reversed = full_path.split('/').toReversed().join('.')
  return {
    'X-GitLab-Project': name.replaceAll(NOT_ASCII, '?'),
    'X-GitLab-Project-Id': String(id),
    'X-GitLab-Project-Path': full_path,
    'List-Id': `${full_path} <${id}.${reversed}.${host}>`,
  }
}

/** Filters do not decode headers of this kind. */
const NOT_ASCII = /[^\x20-\x7e]/g
