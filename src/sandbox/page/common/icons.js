/** Outlines on a 24 × 24 grid. They are drawn in the colour of the text around them. */
const outlines = {
  attach:
    'M20 11.5 12.5 19a5 5 0 0 1-7-7L13 4.5a3.3 3.3 0 0 1 4.7 4.7L10.3 16.6a1.7 1.7 0 0 1-2.4-2.4L14.5 7.5',
  send: 'M4.5 12 3.5 4.5 21 12 3.5 19.5ZM4.5 12H12',
  close: 'M6 6l12 12M18 6 6 18',
  more: 'M12 6v.01M12 12v.01M12 18v.01',
  down: 'M6 9.5l6 6 6-6',
  reply: 'M9.5 7 4.5 12l5 5M5 12h8.5a6 6 0 0 1 6 6',
  edit: 'M5 19l.8-4L15.5 5.3a2 2 0 0 1 2.8 0l.4.4a2 2 0 0 1 0 2.8L9 18.2Z',
  forward: 'M14.5 7l5 5-5 5M19 12h-8.5a6 6 0 0 0-6 6',
  copy: 'M9 9h10v10H9ZM6 15H5V5h10v1',
  file: 'M7 3.5h7l4 4V20.5H7ZM14 3.5v4h4',
  link: 'M8 16 16.5 7.5M9.5 7.5h7v7',
  block: 'M12 4a8 8 0 1 0 0 16 8 8 0 0 0 0-16ZM6.5 6.5l11 11',
  group:
    'M9 11a3 3 0 1 0 0-6 3 3 0 0 0 0 6ZM3.5 19a5.5 5.5 0 0 1 11 0M16 5.3a3 3 0 0 1 0 5.4M17 13.8a5.5 5.5 0 0 1 3.5 5.2',
  person: 'M12 12a4 4 0 1 0 0-8 4 4 0 0 0 0 8ZM4.5 20.5a7.5 7.5 0 0 1 15 0',
  voice: 'M12 14a3 3 0 0 0 3-3V7a3 3 0 0 0-6 0v4a3 3 0 0 0 3 3ZM6 11a6 6 0 0 0 12 0M12 17v3.5',
  sticker: 'M12 4a8 8 0 1 0 0 16 8 8 0 0 0 0-16ZM9 10v.01M15 10v.01M8.5 14a4.5 4.5 0 0 0 7 0',
  location:
    'M12 21s6.5-6 6.5-11a6.5 6.5 0 0 0-13 0c0 5 6.5 11 6.5 11ZM12 12.3a2.3 2.3 0 1 0 0-4.6 2.3 2.3 0 0 0 0 4.6Z',
  slash: 'M14.5 5 9.5 19',
}

/**
 * @param {keyof typeof outlines} name
 * @returns {SVGSVGElement} hidden from screen readers, because the control around it has the name
 */
export function icon(name) {
  const svg = document.createElementNS('http://www.w3.org/2000/svg', 'svg')
  svg.setAttribute('viewBox', '0 0 24 24')
  svg.setAttribute('class', 'icon')
  svg.setAttribute('aria-hidden', 'true')
  const path = document.createElementNS('http://www.w3.org/2000/svg', 'path')
  path.setAttribute('d', outlines[name])
  svg.append(path)
  return svg
}
