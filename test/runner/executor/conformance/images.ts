import {
  busyboxImage,
  busyboxVariant,
  entrypointImage,
  gitImage,
  shelllessImage,
} from '../../../support/docker-image.js'
import {
  brokenImage,
  healthImage,
  lateWebImage,
  portlessImage,
  silentImage,
  webImage,
} from '../../../support/service-images.js'

/** The images of the table, by the name under which rows use them. */
const MAKERS = {
  'switchyard-test-busybox:latest': busyboxImage,
  'switchyard-test-git:latest': gitImage,
  'switchyard-test-shell-less:latest': shelllessImage,
  'switchyard-test-entrypoint:latest': entrypointImage,
  'switchyard-test-web:latest': webImage,
  'switchyard-test-late-web:latest': lateWebImage,
  'switchyard-test-health:latest': healthImage,
  'switchyard-test-broken:latest': brokenImage,
  'switchyard-test-silent:latest': silentImage,
  'switchyard-test-portless:latest': portlessImage,
  'switchyard-test-user:latest': () => busyboxVariant('user', ['USER builder']),
  'switchyard-test-deaf:latest': () => busyboxVariant('deaf', ['ENTRYPOINT ["true"]']),
} satisfies Record<string, () => Promise<string>>

export type Image = keyof typeof MAKERS

/** Makes an image at the engine of the machine. */
export async function makeImage(image: Image): Promise<void> {
  await MAKERS[image]()
}

/** Makes images at the engine of the machine. */
export async function makeImages(images: readonly Image[]): Promise<void> {
  for (const image of images) await makeImage(image)
}

export const BUSYBOX: Image = 'switchyard-test-busybox:latest'
export const GIT: Image = 'switchyard-test-git:latest'
export const SHELL_LESS: Image = 'switchyard-test-shell-less:latest'
export const ENTRYPOINT: Image = 'switchyard-test-entrypoint:latest'
export const WEB: Image = 'switchyard-test-web:latest'
export const LATE_WEB: Image = 'switchyard-test-late-web:latest'
export const HEALTH: Image = 'switchyard-test-health:latest'
export const BROKEN: Image = 'switchyard-test-broken:latest'
export const SILENT: Image = 'switchyard-test-silent:latest'
export const PORTLESS: Image = 'switchyard-test-portless:latest'
/** Its user is `builder`, 1000. */
export const USER: Image = 'switchyard-test-user:latest'
/** Its entrypoint succeeds without running its arguments. */
export const DEAF: Image = 'switchyard-test-deaf:latest'
