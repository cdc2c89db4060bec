import { element } from './element.js'

/**
 * A text field with a label, for a dialog. It has to be filled in.
 *
 * @param {string} title
 * @param {'text' | 'tel'} type
 * @param {string} testId
 */
export function field(title, type, testId) {
  const input = element('input', {
    ...{ type, class: 'field-input', 'data-testid': testId },
    ...{ autocomplete: 'off', required: true },
  })
  return {
    input,
    label: element('label', { class: 'field column muted' }, element('span', {}, title), input),
  }
}
