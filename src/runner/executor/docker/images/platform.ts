/** Other names for the processors of `platform` (those that engine and registries use stand on the right). */
const ARCHITECTURES: Record<string, string> = {
  x86_64: 'amd64',
  'x86-64': 'amd64',
  aarch64: 'arm64',
  armhf: 'arm',
}

/** Whether an image is for `os/architecture[/variant]`; each part that is not said fits. */
export function isOfPlatform(
  image: { Os: string; Architecture: string; Variant?: string },
  platform: string,
): boolean {
  const [os, architecture, variant] = partsOf(platform.toLowerCase())
  return (
    (os === undefined || image.Os === os) &&
    (architecture === undefined || image.Architecture === architecture) &&
    (variant === undefined || !image.Variant || image.Variant === variant)
  )
}

/** One part alone is an operating system or a processor, as for the engine. */
function partsOf(platform: string): (string | undefined)[] {
  const parts = platform.split('/')
  const [os, architecture, variant] =
    parts.length === 1 && !['linux', 'windows'].includes(platform) ? [undefined, platform] : parts
  return [os, architecture && (ARCHITECTURES[architecture] ?? architecture), variant]
}
