/** The form of a name in `*_SLUG` variables (CI language, 8.7). */
export function slug(name: string): string {
  return name
    .toLowerCase()
    .replace(/[^a-z0-9]/g, '-')
    .slice(0, 63)
    .replace(/^-+|-+$/g, '')
}
