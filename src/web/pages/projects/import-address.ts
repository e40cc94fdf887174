/** What is wrong with the address of a repository, as far as the browser can tell; undefined if nothing is. */
export function addressProblem(address: string): string | undefined {
  let url: URL
  try {
    url = new URL(address)
  } catch {
    return 'is not an address, such as https://git.example.com/group/app.git'
  }
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return 'must begin with https:// or http://'
  return undefined
}

/** The address with the credentials that git sends. */
export function withCredentials(address: string, username: string, password: string): string {
  if (username === '' && password === '') return address
  const url = new URL(address)
  url.username = username
  url.password = password
  return url.href
}

/** The name of a repository in its address: `app` for `https://git.example.com/group/app.git`. */
export function nameInAddress(address: string): string {
  const last =
    address
      .replace(/[?#].*$/, '')
      .replace(/\/+$/, '')
      .split('/')
      .at(-1) ?? ''
  return decoded(last.replace(/\.git$/, ''))
}

/** The name of the project in the name of an archive: `app` for `2026-11-25_10-00-000_group_app_export.tar.gz`. */
export function nameInArchive(file: string): string {
  return file
    .replace(/\.tar\.gz$|\.tgz$|\.zip$/, '')
    .replace(/_export$/, '')
    .replace(/^\d{4}-\d\d-\d\d_\d\d-\d\d-\d+_/, '')
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
