// JavaScript, because the thread that renders Markdown loads it from src/ too.

/** @type {Record<string, string>} */
const ENTITIES = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

/**
 * Escapes text for HTML or XML, in an element or in an attribute value.
 * @param {string} text
 */
export function escapeMarkup(text) {
  return text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? character)
}
