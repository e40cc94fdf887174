/**
 * The page runs with an origin of its own that nobody else has: it reads and writes no cookies and no storage, registers no
 * service worker, and no other page can be read from it. Windows that it opens are ordinary ones, or links to the pages
 * of the coordinator would open without their scripts.
 */
const SANDBOX = [
  'sandbox',
  'allow-scripts',
  'allow-forms',
  'allow-modals',
  'allow-popups',
  'allow-popups-to-escape-sandbox',
  'allow-downloads',
].join(' ')

/** Headers of every file that a job has made and a browser reads in place, in addition to those of all responses. */
export const SANDBOX_HEADERS: Readonly<Record<string, string>> = {
  'content-security-policy': SANDBOX,
  // The address is a secret that other sites must not learn.
  'referrer-policy': 'no-referrer',
  // Stored by the browser alone, which asks each time whether the reader still may read it.
  'cache-control': 'private, no-cache',
  // The parts of a page come from another origin than the page, which has one of its own.
  'cross-origin-resource-policy': 'cross-origin',
  'access-control-allow-origin': '*',
  'permissions-policy': 'camera=(), geolocation=(), microphone=(), payment=(), usb=()',
  'x-robots-tag': 'noindex',
}

/** Of the headers of all responses, this one would keep the frames of a page from showing their part of it. */
export const NOT_IN_SANDBOX = 'x-frame-options'
