/** The part of Trusted Types that the pages use; not every browser has it. */
interface Window {
  trustedTypes?: {
    createPolicy(
      name: string,
      rules: { createHTML: (html: string) => string; createScriptURL: (url: string) => string },
    ): { createHTML(html: string): unknown; createScriptURL(url: string): unknown }
  }
}
