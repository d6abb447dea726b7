// Made-up measurements of shops whose partitions were modelled, for tests of the reports.
//
//   shop, enforced, 30 minutes           shop / GSI1, watched
//     1 ▆▆▆█┬ 5 ▄▄▄▄▄▄▄▄▄▄▄▄               1 ▃▃▃▃▃▃▃▃▃▃▃▃▃▃▃
//           └ 6 ▆▆▆█┬ 7 ▃▃▃▃▃▃▃
//                   └ 8 ▆▆▆▆▆▆█   keys rise
//     2, 3, 4 ▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁
#pragma once

#include "measure/report/report_input.h"

namespace hashrange {

ReportInput ShopWithPartitions();
// One table of 200 partitions, the later the hotter.
ReportInput ShopWithManyPartitions();
// The first shop, whose texts try to be something else.
ReportInput HostilePartitions();

}  // namespace hashrange
