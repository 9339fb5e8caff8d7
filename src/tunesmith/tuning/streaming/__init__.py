"""Online learning over standard input and output, for Hadoop streaming: map, sort, reduce."""
