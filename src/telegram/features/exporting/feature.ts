import { isList } from '../../../lists/recognition.ts'
import { readReference } from '../../chat/reference.ts'
import type { Feature } from '../feature.ts'
import { member } from '../guards/guards.ts'
import { begin, pressExport, stop, takePeriod } from './export.ts'

/** Exporting orders or wallet entries as files. */
export const exporting = {
  commands: {
    export: { run: member(begin) },
  },
  presses: {
    export: (ctx, services, { act }) =>
      act.act === 'stop' ? stop(ctx, services) : member(pressExport)(ctx, services, act),
  },
  questions: {
    period: {
      staysFor: (text) => readReference(text) !== null || isList(text),
      text: member(takePeriod),
    },
  },
} satisfies Feature
