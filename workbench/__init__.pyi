"""The public names, for editors and type checkers, and for the package itself."""

from workbench.adaptation.adaptation import Adaptation as Adaptation, adapt as adapt
from workbench.adaptation.unknown_words import average_bags as average_bags
from workbench.adaptation.methods.template_variances import TemplateVariances as TemplateVariances
from workbench.adaptation.unknown_words import learn_unknown_words as learn_unknown_words
from workbench.evaluation.diff import summarize as summarize, word_diff as word_diff
from workbench.evaluation.explanation import explain as explain
from workbench.evaluation.report import report as report
from workbench.evaluation.error_rates import score as score
from workbench.evaluation.significance import bootstrap as bootstrap, mcnemar as mcnemar
from workbench.evaluation.slices import Slicing as Slicing
from workbench.experiments.amounts import Amounts as Amounts, crossovers as crossovers
from workbench.experiments.compare import Split as Split, compare as compare
from workbench.experiments.confidence import coverage as coverage, try_text as try_text
from workbench.experiments.surface import grid_points as grid_points, sweep as sweep
from workbench.experiments.search import (
    choose_alpha as choose_alpha,
    choose_sigma2 as choose_sigma2,
    choose_variances as choose_variances,
)
from workbench.experiments.search import search_sigma2 as search_sigma2
from workbench.experiments.gradient_search import (
    choose_template_variances as choose_template_variances,
)
from workbench.experiments.judgement import (
    measure_by_folds as measure_by_folds,
    measure_change as measure_change,
)
from workbench.experiments.movers import movers as movers
from workbench.experiments.session import Session as Session, open_session as open_session
from workbench.experiments.why import because as because, side_by_side as side_by_side, why as why
from workbench.features.events import pack_events as pack_events
from workbench.features.selection import select_features as select_features
from workbench.features.templates import (
    TEMPLATE_SETS as TEMPLATE_SETS,
    find_templates as find_templates,
    predicates_of as predicates_of,
)
from workbench.learning.prior import (
    ExponentialPrior as ExponentialPrior,
    GaussianPrior as GaussianPrior,
)
from workbench.learning.solvers.fit import (
    Fit as Fit,
    NotConverged as NotConverged,
    Step as Step,
    maximise as maximise,
)
from workbench.models.crf import CRF as CRF
from workbench.models.ensemble import BidirectionalMEMM as BidirectionalMEMM
from workbench.models.ensemble import Ensemble as Ensemble
from workbench.models.kinds import load_model as load_model
from workbench.models.memm import MEMM as MEMM
from workbench.models.unigram import Unigram as Unigram
from workbench.recasing.glossary import Glossary as Glossary
from workbench.recasing.recaser import Recaser as Recaser
from workbench.recasing.spans import Span as Span, find_spans as find_spans
from workbench.text.casing import (
    Tag as Tag,
    recase_word as recase_word,
    tag_of as tag_of,
    wipe_case as wipe_case,
)
from workbench.text.corpus import BOUNDARY as BOUNDARY, Corpus as Corpus
from workbench.text.errors import InputError as InputError
from workbench.text.lint import drop_faults as drop_faults, lint_text as lint_text
from workbench.text.readers import read_corpus as read_corpus
from workbench.text.sets.registry import known_data_sets as known_data_sets, load as load

from workbench.candidates import *  # the names of the annex, while it is there

__version__: str
__all__: list[str]
