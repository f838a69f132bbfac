export {
  type DoctorReport,
  type ExamineOptions,
  examine,
  type Fact,
  type FamilyReport,
  formatReport,
} from './examine.js';
