import type { ITheme } from '@xterm/xterm'

/** The colours of the terminal in the theme of the page. Those of programs keep their contrast to the ground. */
export function readTheme(): ITheme {
  const chosen = document.documentElement.dataset['theme']
  const isDark = chosen === undefined ? matchMedia('(prefers-color-scheme: dark)').matches : chosen === 'dark'
  return isDark ? DARK : LIGHT
}

/** Calls `onChange` when the theme of the page changes. Returns a function that ends this. */
export function watchTheme(onChange: () => void): () => void {
  const system = matchMedia('(prefers-color-scheme: dark)')
  const observer = new MutationObserver(onChange)
  system.addEventListener('change', onChange)
  observer.observe(document.documentElement, { attributeFilter: ['data-theme'] })
  return () => {
    system.removeEventListener('change', onChange)
    observer.disconnect()
  }
}

/** As the grounds of logs. */
const LIGHT: ITheme = {
  background: '#fcfcfd',
  foreground: '#1a202b',
  cursor: '#3c5bd6',
  cursorAccent: '#fcfcfd',
  selectionBackground: '#c9d5fb',
  black: '#1a202b',
  red: '#b3241a',
  green: '#17713c',
  yellow: '#855106',
  blue: '#1f52ab',
  magenta: '#8426a3',
  cyan: '#08606d',
  white: '#545e6e',
  brightBlack: '#545e6e',
  brightRed: '#c0271c',
  brightGreen: '#17713c',
  brightYellow: '#8f5806',
  brightBlue: '#3c5bd6',
  brightMagenta: '#8a2a5c',
  brightCyan: '#08606d',
  brightWhite: '#1a202b',
}

const DARK: ITheme = {
  background: '#0d1014',
  foreground: '#e8ebf1',
  cursor: '#93abff',
  cursorAccent: '#0d1014',
  selectionBackground: '#2e3f78',
  black: '#6d7788',
  red: '#ff8f85',
  green: '#5fcf8b',
  yellow: '#f0b354',
  blue: '#7ab3ff',
  magenta: '#d79bf0',
  cyan: '#6fd3e2',
  white: '#d3d8e0',
  brightBlack: '#a4aebd',
  brightRed: '#ff9d94',
  brightGreen: '#7fd6a0',
  brightYellow: '#f5a97a',
  brightBlue: '#93abff',
  brightMagenta: '#f2a2c8',
  brightCyan: '#8fe6f2',
  brightWhite: '#ffffff',
}
