"""Plackett-Luce tuning: Table 2 and Figure 1 of Xia, Zhai and Wang (2019), on Multi30k German-English."""
