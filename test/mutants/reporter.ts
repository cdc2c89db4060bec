import type { Reporter, TestCase, TestModule } from 'vitest/node'
import type { Message } from './test-run.ts'

/** Tells the process that started vitest what each test came to, while the others still run. */
export default class MutantsReporter implements Reporter {
  onTestCaseResult(test: TestCase): void {
    const { state } = test.result()
    tell({
      kind: 'test',
      file: test.module.relativeModuleId,
      test: test.fullName,
      failed: state === 'failed',
    })
  }

  onTestModuleEnd(module: TestModule): void {
    tell({ kind: 'file', file: module.relativeModuleId, failed: module.state() === 'failed' })
  }

  onTestRunEnd(_: readonly TestModule[], errors: readonly { message: string }[]): void {
    for (const { message } of errors) tell({ kind: 'error', message })
  }
}

const tell = (message: Message): void => {
  process.send?.(message)
}
