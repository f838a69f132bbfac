export { type ExamineOptions, examine } from './examine.js';
export {
  collectFindings,
  type DoctorReport,
  type Fact,
  type FamilyReport,
  type Finding,
  formatReport,
} from './report.js';
